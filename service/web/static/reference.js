// Starts Swagger UI on the document of this service, and mends what keyboards and screen readers
// meet in it: one main part of the page, no link inside of a button, a name for every field.

const Text = ({ text }) => text; // in the place of links inside of buttons

function mended({ React }) {
  const make = React.createElement;
  const Plain = ({ getComponent }) => {
    const part = (name, whole) => make(getComponent(name, whole));
    return make("div", { className: "swagger-ui" },
      part("SvgAssets"),
      make("div", { className: "tools" }, part("AuthorizeBtnContainer", true), part("FilterContainer", true)),
      part("errors", true),
      part("operations", true));
  };
  return { components: { DeepLink: Text, Plain } };
}

const place = document.querySelector("#reference");

function nameFields() {
  for (const field of place.querySelectorAll("select, input, textarea")) {
    if (!field.labels?.length && !field.hasAttribute("aria-label")) {
      const row = field.closest("tr")?.querySelector(".parameter__name")?.firstChild?.textContent;
      const kinds = { SELECT: "Example", TEXTAREA: "Body of the request", INPUT: "Value" };
      field.setAttribute("aria-label", row || field.placeholder || kinds[field.tagName]);
    }
  }
  for (const text of place.querySelectorAll("pre")) text.tabIndex = 0;
}

new MutationObserver(nameFields).observe(place, { childList: true, subtree: true });

const dark = matchMedia("(prefers-color-scheme: dark)");
const choose = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", choose);
choose();

// A hundred examples of problems under each operation would only be in the way: each has a page.
function withoutProblems(document) {
  for (const kind of Object.values(document.components.responses.Problem.content)) delete kind.examples;
  return document;
}

function show(spec) {
  SwaggerUIBundle({
    spec,
    dom_id: "#reference",
    layout: "Plain",
    deepLinking: true,
    docExpansion: "none",
    defaultModelsExpandDepth: -1,
    filter: true,
    syntaxHighlight: false,
    validatorUrl: null,
    plugins: [mended],
  });
}

fetch("/openapi.json")
  .then((answer) => answer.json())
  .then((document) => show(withoutProblems(document)))
  .catch(() => { place.textContent = "The document could not be read. Load this page again."; });
