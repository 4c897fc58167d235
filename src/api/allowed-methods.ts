type Pattern = { readonly pattern: string }

/** Routes of exactly this path: it is not the value of another one's parameter. */
export function routesAt<Each extends Pattern>(routes: readonly Each[], path: string): Each[] {
  return routes.filter(({ pattern }) => pattern === path)
}

/**
 * The methods that `path` accepts, each once, OPTIONS last; empty when no route has the path. Patterns are Fastify's;
 * those with a wildcard do not count, because they also match paths that do not exist. A path that is a pattern itself is not the value of
 * another one's parameter.
 */
export function allowedMethods(
  routes: readonly { readonly method: string; readonly pattern: string }[],
  path: string,
): string[] {
  const exact = routesAt(routes, path)
  const found = exact.length > 0 ? exact : routes.filter(({ pattern }) => matches(pattern, path))
  const methods = found.map(({ method }) => method)
  return methods.length === 0 ? [] : [...new Set([...methods, 'OPTIONS'])]
}

function matches(pattern: string, path: string): boolean {
  if (pattern.includes('*')) return false
  const wanted = pattern.split('/')
  const given = path.split('/')
  return (
    wanted.length === given.length &&
    wanted.every((part, at) => (part.startsWith(':') ? given[at] !== '' : part === given[at]))
  )
}
