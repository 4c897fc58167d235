import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { RequestFailed } from '../data/request.ts'
import { stateTexts } from '../messages/common.ts'
import { ButtonLink } from '../ui/links.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Failed, LoadingPage } from '../ui/States.tsx'

/**
 * A page about one item: loading, not found, failed or loaded. If a refetch fails, the loaded page stays, with an error
 * above it.
 */
export function PageQuery<T>({
  query,
  what,
  back,
  children,
}: {
  readonly query: UseQueryResult<T>
  /** The item's type in sentence case: "App". */
  readonly what: string
  /** A link to the list of such items. */
  readonly back: {
    readonly to: '/' | '/apps' | '/reviews' | '/destinations' | '/deliveries'
    readonly label: string
  }
  readonly children: (data: T) => ReactNode
}) {
  if (query.isPending) return <LoadingPage />
  if (query.data === undefined) {
    if (query.error instanceof RequestFailed && query.error.status === 404) {
      return <NotFound what={what} back={back} />
    }
    return query.error === null ? null : <Failed error={query.error} onRetry={() => query.refetch()} />
  }
  return (
    <>
      {query.isRefetchError && <Failed error={query.error} onRetry={() => query.refetch()} />}
      {children(query.data)}
    </>
  )
}

function NotFound({ what, back }: Pick<Parameters<typeof PageQuery>[0], 'what' | 'back'>) {
  return (
    <div>
      <PageHeader title={stateTexts.notFound(what)} about={stateTexts.notFoundNote} />
      <ButtonLink to={back.to} variant="default">
        {back.label}
      </ButtonLink>
    </div>
  )
}
