// Gives each block of code a button that copies it. Without this file the pages say the same.
const say = (button, text) => {
  button.textContent = text;
  setTimeout(() => { button.textContent = "Copy"; }, 2000);
};

for (const figure of navigator.clipboard ? document.querySelectorAll("figure.code") : []) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.setAttribute("aria-live", "polite");
  button.addEventListener("click", () =>
    navigator.clipboard.writeText(figure.querySelector("code").textContent).then(
      () => say(button, "Copied"),
      () => say(button, "Not copied"),
    ),
  );
  figure.append(button);
}
