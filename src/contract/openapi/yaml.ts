/** JSON as YAML 1.2, which has JSON's strings. Enough for a document of objects, lists and scalars. */
export function yamlOf(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return ` ${JSON.stringify(value)}\n`
  const isList = Array.isArray(value)
  const entries = Object.entries(value)
  if (entries.length === 0) return isList ? ' []\n' : ' {}\n'
  const lines = entries.map(
    ([key, each]) => `${indent}${isList ? '-' : `${keyOf(key)}:`}${yamlOf(each, `${indent}  `)}`,
  )
  return `\n${lines.join('')}`
}

/** Quoted, unless it can only be a name. */
function keyOf(key: string): string {
  return /^[A-Za-z_$][\w$./{}-]*$/.test(key) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(key)
    ? key
    : JSON.stringify(key)
}
