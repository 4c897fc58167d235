import { Group, Stack } from '@mantine/core'
import { Alerts } from '../components/Alerts.tsx'
import { Members } from '../components/Members.tsx'
import { Passkeys } from '../components/Passkeys.tsx'
import { Sessions } from '../components/Sessions.tsx'
import { SecondFactorCard } from '../components/second-factor/SecondFactorCard.tsx'
import { Tokens } from '../components/Tokens.tsx'
import { useSession } from '../data/session.ts'
import { DeleteAccountCard } from '../forms/DeleteAccountCard.tsx'
import { PasswordCard } from '../forms/PasswordCard.tsx'
import { ProviderCard } from '../forms/ProviderCard.tsx'
import { accountTexts } from '../messages/account.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'

/** API tokens, members, alerts, the password, the second factor, passkeys and the sessions. */
export function Account() {
  const session = useSession()
  return (
    <Stack gap="lg">
      <PageHeader
        title={accountTexts.title}
        about={accountTexts.about(session.account?.name ?? '', session.user?.email ?? '', session.role ?? '')}
        actions={
          <Group gap="xs">
            <ButtonLink to="/stores" variant="default">
              {accountTexts.stores}
            </ButtonLink>
            {session.role === 'owner' && (
              <ButtonLink to="/audit-log" variant="default">
                {accountTexts.auditLog}
              </ButtonLink>
            )}
          </Group>
        }
      />
      <Tokens />
      <Members />
      <Alerts />
      <PasswordCard />
      <ProviderCard />
      <SecondFactorCard />
      <Passkeys />
      <Sessions />
      <DeleteAccountCard />
    </Stack>
  )
}
