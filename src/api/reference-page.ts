export function referencePage(_d: unknown) {
  return { html: '', contentSecurityPolicy: '' }
}
