import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { BulkTriageBody, BulkTriageResult, TriageBody } from '../../src/contract/v1/triage.ts'
import type { NoteRow, TriageDetail, TriageRow } from '../../src/contract/v1/triage-view.ts'
import { normalizedTag, triaged, UNTOUCHED } from '../../src/model/triage.ts'
import { membersQuery } from './account.ts'
import { request } from './request.ts'
import { changeRows, reviewQuery } from './reviews.ts'
import { sessionQuery } from './session.ts'

const pathOf = (fingerprint: string) => `/v1/reviews/${encodeURIComponent(fingerprint)}`

/** Changes of triage, which every shown list and review has at once. A list keeps a review that its filter no longer selects. */
export function useTriage() {
  const queryClient = useQueryClient()
  return {
    /** One after the other for each review, so that the last answer is the newest. */
    async change(fingerprint: string, body: TriageBody): Promise<void> {
      const mutation = queryClient.getMutationCache().build(queryClient, {
        scope: { id: `triage/${fingerprint}` },
        mutationFn: () => request<TriageDetail>('PATCH', `${pathOf(fingerprint)}/triage`, { body }),
      })
      const triage = await mutation.execute(undefined)
      show(queryClient, new Map([[fingerprint, () => triage]]))
    },
    async changeSeveral(reviews: BulkTriageBody['reviews']): Promise<BulkTriageResult> {
      const result = await request<BulkTriageResult>('PATCH', '/v1/triage', { body: { reviews } })
      show(
        queryClient,
        new Map(reviews.map(({ fingerprint, ...body }) => [fingerprint, changedBy(queryClient, body)])),
      )
      return result
    },
    async addNote(fingerprint: string, text: string): Promise<void> {
      await request<NoteRow>('POST', `${pathOf(fingerprint)}/notes`, { body: { text } })
      await reload(queryClient, fingerprint)
    },
    async deleteNote(fingerprint: string, id: string): Promise<void> {
      await request<void>('DELETE', `${pathOf(fingerprint)}/notes/${encodeURIComponent(id)}`)
      await reload(queryClient, fingerprint)
    },
  }
}

type Change = (before: TriageRow) => TriageRow

function changedBy(queryClient: QueryClient, body: TriageBody): Change {
  const { status, assignee } = body
  return (before) => ({
    ...before,
    status: status ?? before.status,
    assignee: assignee === undefined ? before.assignee : assigneeOf(queryClient, assignee),
    tags: tagsAfter(before.tags, body),
  })
}

function tagsAfter(before: readonly string[], { tags, add_tags, remove_tags }: TriageBody): string[] {
  const change = { tags: stored(tags), addTags: stored(add_tags), removeTags: stored(remove_tags) }
  return [...triaged({ ...UNTOUCHED, tags: before }, change).tags]
}

/** As the service stores them. It refuses a text that cannot be a tag. */
function stored(tags: readonly string[] | undefined): string[] | undefined {
  return tags?.flatMap((tag) => normalizedTag(tag) ?? [])
}

function assigneeOf(queryClient: QueryClient, id: string | null): TriageRow['assignee'] {
  if (id === null) return null
  const user = queryClient.getQueryData(sessionQuery.queryKey)?.user
  if (user != null && (id === 'me' || id === user.id)) return { id: user.id, name: user.name }
  const member = queryClient.getQueryData(membersQuery.queryKey)?.find((each) => each.id === id)
  return member === undefined ? null : { id, name: member.name }
}

async function reload(queryClient: QueryClient, fingerprint: string): Promise<void> {
  const detail = await queryClient.fetchQuery({ ...reviewQuery(fingerprint), staleTime: 0 })
  show(queryClient, new Map([[fingerprint, () => detail.triage]]))
}

function show(queryClient: QueryClient, changes: ReadonlyMap<string, Change>): void {
  changeRows(queryClient, (review) => {
    const change = changes.get(review.fingerprint)
    return change === undefined
      ? review
      : { ...review, triage: { ...review.triage, ...change(review.triage) } }
  })
  void queryClient.invalidateQueries({ queryKey: ['app'] })
}
