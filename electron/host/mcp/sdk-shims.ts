/**
 * Stands in for the MCP client's own `_shims` in the build (`resolve.alias` of vite.config.ts): its default would bring
 * ajv, which compiles schemas by `new Function`.
 */
export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from "@modelcontextprotocol/client/validators/cf-worker";
export const CORS_IS_POSSIBLE = false;
