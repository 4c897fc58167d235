import { Group } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Alerts } from '../components/Alerts.tsx'
import { Members } from '../components/Members.tsx'
import { Passkeys } from '../components/Passkeys.tsx'
import { UnknownPage } from '../components/RouteStates.tsx'
import { Sessions } from '../components/Sessions.tsx'
import { SecondFactorCard } from '../components/second-factor/SecondFactorCard.tsx'
import { Tokens } from '../components/Tokens.tsx'
import { useSession } from '../data/session.ts'
import { AccountNameCard } from '../forms/AccountNameCard.tsx'
import { DeleteAccountCard } from '../forms/DeleteAccountCard.tsx'
import { PasswordCard } from '../forms/PasswordCard.tsx'
import { ProviderCard } from '../forms/ProviderCard.tsx'
import { accountTexts } from '../messages/account.tsx'
import { ButtonLink, NavigationLink } from '../ui/links.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { SectionedPage } from '../ui/SectionedPage.tsx'

type AccountSection = { readonly id: string; readonly label: string; readonly content: ReactNode }

const SECTIONS: readonly AccountSection[] = [
  {
    id: 'members',
    label: accountTexts.members,
    content: (
      <>
        <AccountNameCard />
        <Members />
      </>
    ),
  },
  { id: 'tokens', label: accountTexts.tokens, content: <Tokens /> },
  { id: 'alerts', label: accountTexts.alerts, content: <Alerts /> },
  {
    id: 'sign-in',
    label: accountTexts.signIn,
    content: (
      <>
        <PasswordCard />
        <ProviderCard />
        <SecondFactorCard />
        <Passkeys />
        <Sessions />
      </>
    ),
  },
]
/** Only for owners; the operator's account is deleted by a command. */
const DELETION: AccountSection = {
  id: 'deletion',
  label: accountTexts.deletion,
  content: <DeleteAccountCard />,
}

/** Members, API tokens, alerts, how the user signs in, and the deletion of the account: each a section with an address. */
export function Account() {
  const session = useSession()
  const owner = session.role === 'owner'
  const sections = owner && !session.operator ? [...SECTIONS, DELETION] : SECTIONS
  const { section = 'members' } = useParams({ strict: false })
  const shown = sections.find(({ id }) => id === section)
  if (shown === undefined) return <UnknownPage />
  return (
    <>
      <PageHeader
        title={accountTexts.title}
        about={accountTexts.about(session.account?.name ?? '', session.user?.email ?? '', session.role ?? '')}
        actions={
          <Group gap="xs">
            <ButtonLink to="/stores" variant="default">
              {accountTexts.stores}
            </ButtonLink>
            {owner && (
              <ButtonLink to="/audit-log" variant="default">
                {accountTexts.auditLog}
              </ButtonLink>
            )}
          </Group>
        }
      />
      <SectionedPage
        label={accountTexts.sections}
        sections={sections}
        shown={section}
        link={(id, given) => <NavigationLink to="/account/$section" params={{ section: id }} {...given} />}
      >
        {shown.content}
      </SectionedPage>
    </>
  )
}
