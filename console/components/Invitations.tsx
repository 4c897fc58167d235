import { Alert, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ROLE_NAMES } from '../../src/contract/console/display-names.ts'
import { ROLES, type Role } from '../../src/model/vocabulary.ts'
import { account, invitationsQuery } from '../data/account.ts'
import { useProblems } from '../forms/problems.ts'
import { emailProblem } from '../forms/rules.ts'
import { invitationTexts } from '../messages/account.tsx'
import { commonTexts } from '../messages/common.ts'
import { CopyValue } from '../ui/CopyValue.tsx'
import { notifyFailed } from '../ui/confirm.tsx'
import { FormProblem } from '../ui/FormProblem.tsx'
import { Instant } from '../ui/Instant.tsx'
import { RowButton } from '../ui/RowButton.tsx'
import { Failed } from '../ui/States.tsx'
import { optionsOf } from '../util/options.ts'

/** Aligns the button with the fields, below their labels. */
const LABEL_HEIGHT = 25

const ROLE_OPTIONS = optionsOf(ROLES, ROLE_NAMES)

/** Open invitations and the form for a new one. */
export function Invitations() {
  const invitations = useQuery(invitationsQuery)
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['invitations'] })
  const invite = useMutation({
    mutationFn: () => account.invite(email.trim(), role),
    onSuccess: async () => {
      setEmail('')
      setTried(false)
      await refresh()
    },
  })
  const problems = useProblems(invite.error, ['email', 'role'])
  const [isTried, setTried] = useState(false)
  const local = isTried ? emailProblem(email.trim()) : null
  return (
    <Stack mt="md">
      <FormProblem error={problems.beside} />
      {invite.data !== undefined && (
        <Alert color="yellow" title={invitationTexts.copyTitle(invite.data.email)}>
          <Text size="sm" mb="xs">
            {invitationTexts.copyNote(<Instant at={invite.data.expiresAt} />)}
          </Text>
          <CopyValue value={invite.data.url} what={invitationTexts.secretName} />
        </Alert>
      )}
      {invitations.isError && <Failed error={invitations.error} onRetry={() => invitations.refetch()} />}
      {invitations.data?.map((invitation) => (
        <Group key={invitation.id} justify="space-between">
          <Text size="sm">
            {invitationTexts.line(
              invitation.email,
              invitation.role,
              <Instant at={invitation.createdAt} />,
              <Instant at={invitation.expiresAt} />,
            )}
          </Text>
          <RowButton
            verb={invitationTexts.revoke}
            of={invitationTexts.revokeTarget(invitation.email)}
            destructive
            onClick={() => account.revokeInvitation(invitation.id).then(refresh, notifyFailed)}
          />
        </Group>
      ))}
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (emailProblem(email.trim()) === null) invite.mutate()
        }}
      >
        <Group align="flex-start">
          <TextInput
            label={commonTexts.email}
            type="email"
            placeholder={invitationTexts.emailPlaceholder}
            value={email}
            onChange={(event) => {
              problems.edited('email')
              setEmail(event.currentTarget.value)
            }}
            error={local ?? problems.at('email')}
            w={260}
          />
          <Select
            label={invitationTexts.role}
            data={ROLE_OPTIONS}
            value={role}
            onChange={(value) => {
              problems.edited('role')
              setRole(ROLES.find((known) => known === value) ?? 'member')
            }}
            error={problems.at('role')}
            allowDeselect={false}
            w={120}
          />
          <Button type="submit" variant="default" loading={invite.isPending} mt={LABEL_HEIGHT}>
            {invitationTexts.submit}
          </Button>
        </Group>
      </form>
    </Stack>
  )
}
