/** The path below which this console is served, such as `/radar`; empty at the root of a host. The service writes it into the document. */
export const basePath = document.querySelector('meta[name="base-path"]')?.getAttribute('content') ?? ''
