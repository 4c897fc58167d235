import { Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { AuditFilters } from '../components/audit/AuditFilters.tsx'
import { AuditTable } from '../components/audit/AuditTable.tsx'
import { auditExportUrl, auditQuery } from '../data/audit.ts'
import { useSession } from '../data/session.ts'
import { auditTexts } from '../messages/audit.ts'
import { ExportMenu } from '../ui/ExportMenu.tsx'
import { ListStates, MoreOf } from '../ui/ListStates.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Empty } from '../ui/States.tsx'
import { filterControls } from '../util/filters.ts'

const route = getRouteApi('/signed-in/audit-log')

/** Who did what in the account, newest first; for its owners. */
export function AuditLog() {
  if (useSession().role === 'owner') return <Entries />
  return (
    <>
      <PageHeader title={auditTexts.title} />
      <Empty title={auditTexts.ownersOnly}>{auditTexts.ownersOnlyNote}</Empty>
    </>
  )
}

function Entries() {
  const navigate = useNavigate()
  const list = filterControls(
    route.useSearch(),
    (search) => void navigate({ to: '/audit-log', search, replace: true }),
  )
  const entries = useInfiniteQuery(auditQuery(list.filters))
  const lines = entries.data?.pages.flatMap((page) => page.data) ?? []
  return (
    <>
      <PageHeader
        title={auditTexts.title}
        about={auditTexts.about}
        actions={
          <ExportMenu what={auditTexts.entries} urlOf={(format) => auditExportUrl(list.filters, format)} />
        }
      />
      <Stack>
        <AuditFilters list={list} lines={lines} />
        <ListStates list={entries} empty={lines.length === 0} what={auditTexts.entries} filters={list}>
          <Empty title={auditTexts.emptyTitle}>{auditTexts.emptyNote}</Empty>
        </ListStates>
        {lines.length > 0 && <AuditTable lines={lines} />}
        <MoreOf list={entries} what={auditTexts.entries} />
      </Stack>
    </>
  )
}
