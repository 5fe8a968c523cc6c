// Starts Swagger UI on the document of this service, and mends what keyboards and screen readers
// meet in it.
const Text = ({ text }) => text; // in the place of links inside of buttons

const named = (Original, { React }) => (props) => {
  const place = React.useRef(null);
  React.useEffect(() => {
    for (const field of place.current.querySelectorAll("select, input, textarea")) {
      if (!field.labels?.length && !field.getAttribute("aria-label")) {
        field.setAttribute("aria-label", props.name ?? field.placeholder ?? "Value");
      }
    }
  });
  return React.createElement("div", { ref: place }, React.createElement(Original, props));
};

const mended = () => ({ components: { DeepLink: Text } });

const dark = matchMedia("(prefers-color-scheme: dark)");
const choose = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", choose);
choose();

SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "none",
  defaultModelsExpandDepth: -1,
  filter: true,
  persistAuthorization: false,
  tagsSorter: undefined,
  validatorUrl: null,
  plugins: [mended],
});
