/** `PROVIDER/MODEL`; the model's name may hold slashes itself (`openrouter/deepseek/deepseek-chat`). */
export interface ModelId {
  readonly provider: string;
  readonly model: string;
}
/** Undefined for a bare name. */
export function parseModelId(id: string): ModelId | undefined {
  const slash = id.indexOf("/");
  if (slash <= 0 || slash === id.length - 1) return undefined;
  return { provider: id.slice(0, slash), model: id.slice(slash + 1) };
}
