import { Button, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { SignedOutFrame } from '../components/SignedOutFrame.tsx'
import { enterAccount, leave, useSession } from '../data/session.ts'
import { chooseAccountTexts } from '../messages/sign-in.ts'
import { FormProblem } from '../ui/FormProblem.tsx'

/** After the sign-in of a user of several accounts. */
export function ChooseAccount() {
  const { user, accounts } = useSession()
  const { next = '/' } = useSearch({ from: '/signed-out/choose-account' })
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const enter = useMutation({ mutationFn: (id: string) => enterAccount(id, next) })
  const leaving = useMutation({
    mutationFn: () => leave(queryClient),
    onSuccess: () => navigate({ to: '/sign-in' }),
  })
  return (
    <SignedOutFrame
      title={chooseAccountTexts.title}
      about={chooseAccountTexts.about(user?.email ?? chooseAccountTexts.you)}
    >
      <Stack>
        <FormProblem error={enter.error ?? leaving.error} />
        {accounts.map(({ id, name }) => (
          <Button
            key={id}
            variant="default"
            loading={enter.isPending && enter.variables === id}
            onClick={() => enter.mutate(id)}
          >
            {name}
          </Button>
        ))}
        <Button variant="subtle" color="gray" loading={leaving.isPending} onClick={() => leaving.mutate()}>
          {chooseAccountTexts.signOut}
        </Button>
      </Stack>
    </SignedOutFrame>
  )
}
