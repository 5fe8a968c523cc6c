"""The named positions of sandbox games."""

from engine.scenarios import SCENARIOS
from service.operations import Blueprint
from service.schemas.dump_scores import Wire
from service.schemas.games import ScenarioList


def blueprint() -> Blueprint:
    """Return the operation that lists the scenarios."""
    doors = Blueprint("sandbox")

    @doors.operation(
        "GET",
        "/v1/sandbox/scenarios",
        id="listScenarios",
        says=(
            "List the scenarios.\nNamed positions in which seat 0 has something rare to decide. "
            "Send the id as `scenario` to createGame, where the operator allows a sandbox."
        ),
        answer=ScenarioList,
    )
    def list_scenarios() -> Wire:
        return {
            "items": [
                {"id": name, "phase": scenario.phase, "description_code": f"scenario_{name}"}
                for name, scenario in SCENARIOS.items()
            ]
        }

    return doors
