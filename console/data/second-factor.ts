import { queryOptions } from '@tanstack/react-query'
import type { NewSecondFactorView, SecondFactorView } from '../../src/contract/console/people.ts'
import { request } from './request.ts'

export const secondFactorQuery = queryOptions({
  queryKey: ['second-factor'],
  queryFn: ({ signal }) => request<SecondFactorView>('GET', '/second-factor', { signal }),
})

export type CodeKind = 'totp' | 'backup-code'

export const secondFactor = {
  start: (password: string) =>
    request<NewSecondFactorView>('POST', '/auth/two-factor/enable', { body: { password } }),
  /** Turns a started second factor on, or ends a sign-in. */
  enterCode: (kind: CodeKind, code: string, trustDevice = false) =>
    request<unknown>('POST', `/auth/two-factor/verify-${kind}`, { body: { code, trustDevice } }),
  turnOff: (password: string) => request<unknown>('POST', '/auth/two-factor/disable', { body: { password } }),
  newBackupCodes: (password: string) =>
    request<Pick<NewSecondFactorView, 'backupCodes'>>('POST', '/auth/two-factor/generate-backup-codes', {
      body: { password },
    }),
  forgetTrustedBrowsers: () => request<void>('DELETE', '/second-factor/trusted-browsers'),
  require: (required: boolean) => request<void>('PUT', '/second-factor/requirement', { body: { required } }),
} as const
