import { queryOptions } from '@tanstack/react-query'
import type { NewSecondFactorView, SecondFactorView } from '../../src/contract/console/people.ts'
import { request } from './request.ts'

export const secondFactorQuery = queryOptions({
  queryKey: ['second-factor'],
  queryFn: ({ signal }) => request<SecondFactorView>('GET', '/console/second-factor', { signal }),
})

export type CodeKind = 'totp' | 'backup-code'

export const secondFactor = {
  start: (password: string) =>
    request<NewSecondFactorView>('POST', '/console/auth/two-factor/enable', { body: { password } }),
  /** Turns a started second factor on, or ends a sign-in. */
  enterCode: (kind: CodeKind, code: string, trustDevice = false) =>
    request<unknown>('POST', `/console/auth/two-factor/verify-${kind}`, { body: { code, trustDevice } }),
  turnOff: (password: string) =>
    request<unknown>('POST', '/console/auth/two-factor/disable', { body: { password } }),
  newBackupCodes: (password: string) =>
    request<Pick<NewSecondFactorView, 'backupCodes'>>(
      'POST',
      '/console/auth/two-factor/generate-backup-codes',
      {
        body: { password },
      },
    ),
  forgetTrustedBrowsers: () => request<void>('DELETE', '/console/second-factor/trusted-browsers'),
  require: (required: boolean) =>
    request<void>('PUT', '/console/second-factor/requirement', { body: { required } }),
} as const
