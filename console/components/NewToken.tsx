import { Button, Checkbox, Group, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { SCOPE_NAMES } from '../../src/contract/console/display-names.ts'
import type { TokenBody } from '../../src/contract/console/people.ts'
import { DEFAULT_TOKEN_SCOPES, TOKEN_SCOPES, type TokenScope } from '../../src/model/vocabulary.ts'
import { useProblems } from '../forms/problems.ts'
import { tokenTexts } from '../messages/account.tsx'
import { commonTexts } from '../messages/common.ts'
import { FormProblem } from '../ui/FormProblem.tsx'

const EXPIRIES = [
  { value: '', label: commonTexts.never },
  { value: '30', label: tokenTexts.in30Days },
  { value: '90', label: tokenTexts.in90Days },
  { value: '365', label: tokenTexts.inOneYear },
]

export function NewToken({
  onCreate,
  isCreating,
  error,
}: {
  onCreate: (token: TokenBody) => void
  isCreating: boolean
  error: Error | null
}) {
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<TokenScope[]>([...DEFAULT_TOKEN_SCOPES])
  const [days, setDays] = useState('')
  const problems = useProblems(error, ['name', 'scopes', 'expires_in_days'])
  const isComplete = name.trim() !== '' && scopes.length > 0
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isComplete) return
        onCreate({ name: name.trim(), scopes, ...(days !== '' && { expires_in_days: Number(days) }) })
      }}
    >
      <Stack gap="sm">
        <FormProblem error={problems.beside} />
        <Group align="flex-start">
          <TextInput
            label={tokenTexts.nameLabel}
            placeholder={tokenTexts.namePlaceholder}
            value={name}
            onChange={(event) => {
              problems.edited('name')
              setName(event.currentTarget.value)
            }}
            error={problems.at('name')}
            maxLength={100}
          />
          <Select
            label={tokenTexts.expires}
            data={EXPIRIES}
            value={days}
            onChange={(value) => {
              problems.edited('expires_in_days')
              setDays(value ?? '')
            }}
            error={problems.at('expires_in_days')}
            allowDeselect={false}
            w={140}
          />
        </Group>
        <Checkbox.Group
          label={tokenTexts.permissions}
          value={scopes}
          onChange={(values) => {
            problems.edited('scopes')
            setScopes(TOKEN_SCOPES.filter((scope) => values.includes(scope)))
          }}
          error={problems.at('scopes')}
        >
          <Group mt={4}>
            {TOKEN_SCOPES.map((scope) => (
              <Checkbox key={scope} value={scope} label={SCOPE_NAMES[scope]} />
            ))}
          </Group>
        </Checkbox.Group>
        <Group>
          <Button type="submit" disabled={!isComplete} loading={isCreating}>
            {tokenTexts.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
