/** Arrows point down only: shells → rpc → host → rooms → tools → policy → record → config → kit → shared. */
const rooms = "models|skills|plugins|hooks|mcp|language|market|chat|agents";
/** Each floor may import itself and what stands below it. */
const floors = ["kit", "config", "record", "policy", "tools"];
const upward = floors.map((floor, index) => ({
  name: `${floor}-imports-nothing-above`,
  severity: "error",
  from: { path: `^electron/host/${floor}/` },
  to: {
    path: `^electron/host/(${[...floors.slice(index + 1), rooms].join("|")})/|^electron/host/(host|rpc|topics)[.]ts$|^electron/host/skill-files/|^electron/(shell|serve|cli)/`,
  },
}));
module.exports = {
  forbidden: [
    {
      name: "no-circular",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    { name: "not-resolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
    ...upward,
    {
      name: "electron-only-in-shell",
      severity: "error",
      from: { path: "^(shared|electron|renderer|scripts)/", pathNot: "^electron/shell/" },
      to: { path: "^(electron$|node_modules/electron/)" },
    },
    {
      name: "child-process-only-in-kit",
      severity: "error",
      from: {
        path: "^(shared|electron|renderer)/",
        pathNot: "^electron/host/kit/|[.](test|testkit)[.]ts$",
      },
      to: { path: "^((node:)?child_process|.*node_modules/cross-spawn/.*)$" },
    },
    {
      name: "rooms-do-not-import-each-other",
      severity: "error",
      from: { path: `^electron/host/(${rooms})/`, pathNot: "[.](test|testkit)[.]ts$" },
      to: { path: `^electron/host/(${rooms})/`, pathNot: "^electron/host/$1/" },
    },
    {
      name: "rooms-do-not-import-the-host",
      severity: "error",
      from: { path: `^electron/host/(${rooms})/`, pathNot: "[.](test|testkit)[.]ts$" },
      to: { path: "^electron/host/([^/]+[.]ts$|skill-files/)", pathNot: "^electron/host/secrets[.]ts$" },
    },
    {
      name: "host-knows-no-shell",
      severity: "error",
      from: { path: "^electron/host/" },
      to: { path: "^electron/(shell|serve|cli)/" },
    },
    {
      name: "renderer-only-shared",
      severity: "error",
      from: { path: "^renderer/" },
      to: { path: "^(electron|e2e|bench)/" },
    },
    {
      name: "renderer-contract-types-only",
      severity: "error",
      from: { path: "^renderer/" },
      to: { path: "^shared/contract/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "shared-imports-nothing-above",
      severity: "error",
      from: { path: "^shared/", pathNot: "[.](test|testkit)[.]ts$" },
      to: { path: "^(electron|renderer|e2e)/|^node:" },
    },
    {
      name: "mcp-sdk-in-connection",
      severity: "error",
      from: {
        path: "^electron/",
        pathNot: "^electron/host/mcp/(connection|sdk-shims|oauth/sdk-library)[.]ts$",
      },
      // Types are gone when it runs: the library is loaded by that file alone.
      to: { path: "node_modules/@modelcontextprotocol/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "host-no-vue",
      severity: "error",
      from: { path: "^electron/host/" },
      to: { path: "node_modules/(vue|@vue)/" },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.tools.json" },
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
      extensions: [".ts", ".vue", ".mjs", ".cjs", ".js", ".json"],
    },
  },
};
