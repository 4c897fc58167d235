/** The path below which people reach the service, such as `/radar`; empty at the root of a host. */
export function basePathOf(publicUrl: string): string {
  return (URL.parse(publicUrl)?.pathname ?? '').replace(/\/$/, '')
}

/** A request's path and query below the base path, which some proxies remove and others pass on. */
export function belowBasePath(url: string, basePath: string): string {
  if (basePath === '' || !url.startsWith(basePath)) return url
  const rest = url.slice(basePath.length)
  if (rest.startsWith('/')) return rest
  return rest === '' || /^[?#]/.test(rest) ? `/${rest}` : url
}
