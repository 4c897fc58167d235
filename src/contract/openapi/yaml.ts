/** Converts JSON to YAML 1.2, whose strings may be JSON strings. Supports objects, lists and scalars. */
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

/** Quotes a key unless YAML reads it as a plain string. */
function keyOf(key: string): string {
  return /^[A-Za-z_$][\w$./{}-]*$/.test(key) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(key)
    ? key
    : JSON.stringify(key)
}
