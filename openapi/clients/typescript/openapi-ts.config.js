// What `npm run generate` makes: types, one function for each operation, and a client on fetch.
export default {
  input: "../../openapi.json",
  output: { path: "generated", module: { extension: ".ts" } },
  plugins: ["@hey-api/typescript", "@hey-api/sdk", "@hey-api/client-fetch"],
};
