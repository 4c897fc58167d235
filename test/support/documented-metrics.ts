import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type DocumentedMetric = { readonly labels: readonly string[]; readonly kind: string }

/** The metrics of docs/reference/metrics.md by name. */
export function documentedMetrics(): ReadonlyMap<string, DocumentedMetric> {
  const page = readFileSync(join(import.meta.dirname, '../../docs/reference/metrics.md'), 'utf8')
  const rows = page.matchAll(/^\| `(radar_\w+)(?:\{([\w,]+)\})?` \| (\w+)/gm)
  return new Map(
    Array.from(rows, ([, name = '', labels, kind = '']) => [
      name,
      { kind, labels: labels?.split(',') ?? [] },
    ]),
  )
}
