import { Stack } from '@mantine/core'
import { Members } from '../components/Members.tsx'
import { Tokens } from '../components/Tokens.tsx'
import { useSession } from '../data/session.ts'
import { PasswordCard } from '../forms/PasswordCard.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'

/** API tokens, the people of this account, and one's own password. */
export function Account() {
  const session = useSession()
  return (
    <Stack gap="lg">
      <PageHeader
        title="Account"
        about={`${session.account?.name ?? ''} · signed in as ${session.user?.email ?? ''}, ${session.role ?? ''}`}
      />
      <Tokens />
      <Members />
      <PasswordCard />
    </Stack>
  )
}
