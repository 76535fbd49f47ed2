/** Detects parameters whose values are credentials, which the playground doesn't store with other values. */

/** Whether the value of a parameter may be secret. `key`: its `parameterKey`, such as `header.X-Api-Key`. */
export function isSecretParameter(key: string): boolean {
  return /^cookie\./i.test(key) || /^(?:header|query)\..*(?:auth|key|token|secret|passw|session|signature|cookie)/i.test(key);
}
