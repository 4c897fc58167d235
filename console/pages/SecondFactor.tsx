import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { SignedOutFrame } from '../components/SignedOutFrame.tsx'
import { TurnOn } from '../components/second-factor/TurnOn.tsx'
import { leave, signedIn, useSession } from '../data/session.ts'
import { secondFactorTexts } from '../messages/second-factor.tsx'
import { notifyFailed } from '../ui/confirm.tsx'
import { ButtonLink } from '../ui/links.tsx'

/** The only page for a member whose account requires a second factor, until it is on. */
export function SecondFactor() {
  const { account, accounts } = useSession()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const enter = async () => {
    await signedIn(queryClient)
    await navigate({ to: '/' })
  }
  const leaving = useMutation({
    mutationFn: () => leave(queryClient),
    onSuccess: () => navigate({ to: '/' }),
    onError: notifyFailed,
  })
  return (
    <SignedOutFrame
      title={secondFactorTexts.pageTitle}
      about={secondFactorTexts.pageAbout(account?.name ?? secondFactorTexts.yourAccount)}
    >
      <TurnOn onDone={() => void enter()} />
      {accounts.length > 1 && (
        <ButtonLink to="/choose-account" variant="subtle" color="gray">
          {secondFactorTexts.otherAccount}
        </ButtonLink>
      )}
      <Button variant="subtle" color="gray" loading={leaving.isPending} onClick={() => leaving.mutate()}>
        {secondFactorTexts.signOut}
      </Button>
    </SignedOutFrame>
  )
}
