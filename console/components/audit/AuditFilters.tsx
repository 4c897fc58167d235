import { useQuery } from '@tanstack/react-query'
import { AUDIT_ACTION_NAMES } from '../../../src/contract/console/audit-names.ts'
import type { AuditLine } from '../../../src/contract/v1/audit-log.ts'
import { AUDIT_ACTIONS } from '../../../src/model/audit.ts'
import { membersQuery, tokensQuery } from '../../data/account.ts'
import type { AuditSearch } from '../../data/search.ts'
import { auditTexts } from '../../messages/audit.ts'
import { commonTexts } from '../../messages/common.ts'
import { DateTimeField } from '../../ui/DateTimeField.tsx'
import { FilterArea } from '../../ui/FilterArea.tsx'
import { FilterSelect } from '../../ui/FilterSelect.tsx'
import type { FilterControls } from '../../util/filters.ts'
import { optionsOf } from '../../util/options.ts'
import { actorName } from './actor-name.ts'

const ACTIONS = optionsOf(AUDIT_ACTIONS, AUDIT_ACTION_NAMES)

/** Filters of the audit log. */
export function AuditFilters({
  list,
  lines,
}: {
  readonly list: FilterControls<AuditSearch>
  readonly lines: readonly AuditLine[]
}) {
  const { filters, setFilters } = list
  const actors = useActors(lines, filters.actor)
  return (
    <FilterArea list={list} label={auditTexts.filter} what={auditTexts.entries}>
      <FilterSelect
        label={auditTexts.action}
        options={ACTIONS}
        value={filters.action}
        onChange={(action) => setFilters({ action })}
        width={240}
      />
      <FilterSelect
        label={auditTexts.who}
        options={actors}
        value={filters.actor}
        onChange={(actor) => setFilters({ actor })}
        width={240}
      />
      <DateTimeField
        label={commonTexts.since}
        value={filters.since}
        onChange={(since) => setFilters({ since })}
      />
      <DateTimeField
        label={commonTexts.until}
        value={filters.until}
        onChange={(until) => setFilters({ until })}
      />
    </FilterArea>
  )
}

/** Members, tokens, and the actors of the shown entries: these may have been removed. */
function useActors(lines: readonly AuditLine[], chosen: string | undefined) {
  const members = useQuery(membersQuery)
  const tokens = useQuery(tokensQuery)
  const named = new Map<string, string>()
  if (chosen !== undefined) named.set(chosen, chosen)
  for (const { actor } of lines) if (actor.id !== null) named.set(actor.id, actorName(actor))
  for (const { id, name } of tokens.data ?? []) named.set(id, name)
  for (const { id, email } of members.data ?? []) named.set(id, email)
  return [...named].map(([value, label]) => ({ value, label })).sort((a, b) => a.label.localeCompare(b.label))
}
