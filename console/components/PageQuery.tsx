import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { RequestFailed } from '../data/request.ts'
import { ButtonLink } from '../ui/links.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Failed, LoadingPage } from '../ui/States.tsx'

/**
 * A page about one thing: loading, not found, failed, or shown. Once shown it stays, with a message above it when it
 * cannot be brought up to date.
 */
export function PageQuery<T>({
  query,
  what,
  back,
  children,
}: {
  readonly query: UseQueryResult<T>
  /** The thing in sentence case: "App". */
  readonly what: string
  /** The list that it is missing from. */
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
      <PageHeader title={`${what} not found`} about="It was removed, or it belongs to another account." />
      <ButtonLink to={back.to} variant="default">
        {back.label}
      </ButtonLink>
    </div>
  )
}
