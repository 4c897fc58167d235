import type { SourceFinding } from '../model/source-health.ts'
import type { CheckedApp, CheckedSource } from '../service/check-store.ts'
import { VERSION } from '../service/version.ts'
import { sanitize } from './table.ts'

/** One block for a bug report. It has only facts about the answers: no name, title or text of a review. */
export function storeReport(
  { store, appId, storefront }: CheckedApp,
  checked: readonly CheckedSource[],
  findings: ReadonlyMap<string, SourceFinding>,
  now: Date,
): string {
  const lines = checked.flatMap((one) => [
    `${one.source} (${one.serves}): ${factsOf(one, findings.get(one.source), now).join(', ')}`,
    ...(one.answer?.headers ?? []).map((header) => `  ${header}`),
    ...(one.answer?.keyPaths ?? []).map((path) => `  ${path}`),
  ])
  const head = `Review Radar ${VERSION}, ${store} ${appId} in ${storefront}, ${now.toISOString()}`
  return `\`\`\`\n${sanitized([head, ...lines])}\n\`\`\`\n`
}

function sanitized(lines: readonly string[]): string {
  return lines.map((line) => sanitize(line).replaceAll('`', "'")).join('\n')
}

function factsOf(
  { verdict, status, ms, answer }: CheckedSource,
  finding: SourceFinding | undefined,
  now: Date,
): string[] {
  const { kind, reviews, newestAt, newestFirst } = verdict
  const page = verdict.asked?.answer
  const malformed = page?.kind === 'ok' ? (page.malformed?.length ?? 0) : 0
  const overlap = finding?.overlap ?? null
  return [
    kind,
    status === null ? 'no answer' : `status ${status}`,
    ...(answer === null ? [] : [`${answer.bytes} bytes`]),
    `${ms} ms`,
    ...(reviews === null ? [] : [`${reviews} rows`]),
    ...(malformed === 0 ? [] : [`${malformed} malformed rows`]),
    ...(newestFirst === null ? [] : [newestFirst ? 'newest first' : 'not newest first']),
    ...(newestAt === null
      ? []
      : [`newest ${((now.getTime() - newestAt.getTime()) / 3_600_000).toFixed(1)} h old`]),
    ...(overlap === null ? [] : [`others show ${Math.round(overlap * 100)} % of it`]),
    ...(finding?.fault == null ? [] : [finding.fault]),
  ]
}
