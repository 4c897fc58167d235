import { Anchor, Button, Center, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { NewSecondFactorView } from '../../../src/contract/console/people.ts'
import { secondFactor } from '../../data/second-factor.ts'
import { sessionQuery } from '../../data/session.ts'
import { problemBeside, problemsOf } from '../../forms/problems.ts'
import { codeProblem } from '../../forms/rules.ts'
import { secondFactorTexts } from '../../messages/second-factor.tsx'
import { CopyValue } from '../../ui/CopyValue.tsx'
import { FormProblem } from '../../ui/FormProblem.tsx'
import { BackupCodes } from './BackupCodes.tsx'
import { PasswordStep } from './PasswordStep.tsx'
import { QrCode } from './QrCode.tsx'

/** Turns the second factor on: password, QR code and first code, backup codes. */
export function TurnOn({ onDone }: { readonly onDone: () => void }) {
  const [isOn, setIsOn] = useState(false)
  const start = useMutation({ mutationFn: secondFactor.start })
  if (start.data === undefined) {
    return <PasswordStep about={secondFactorTexts.appNeeded} verb={secondFactorTexts.next} send={start} />
  }
  if (isOn) return <BackupCodes codes={start.data.backupCodes} onDone={onDone} />
  return <Confirm made={start.data} onConfirmed={() => setIsOn(true)} />
}

function Confirm(props: { readonly made: NewSecondFactorView; readonly onConfirmed: () => void }) {
  const { uri } = props.made
  const secret = new URL(uri).searchParams.get('secret') ?? ''
  const queryClient = useQueryClient()
  const form = useForm({ initialValues: { code: '' }, validate: { code: codeProblem } })
  const confirm = useMutation({
    mutationFn: ({ code }: typeof form.values) => secondFactor.enterCode('totp', code),
    onError: (error) => form.setErrors(problemsOf(error)),
    onSuccess() {
      props.onConfirmed()
      // Another session has begun. One that was loaded meanwhile may be the ended one.
      void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
  })
  return (
    <form onSubmit={form.onSubmit((values) => confirm.mutate(values))} noValidate>
      <Stack>
        <FormProblem error={problemBeside(confirm.error, ['code'])} />
        <Text size="sm">
          {secondFactorTexts.scanCode(<Anchor href={uri}>{secondFactorTexts.openHere}</Anchor>)}
        </Text>
        <Center>
          <QrCode text={uri} label={secondFactorTexts.qrLabel} />
        </Center>
        <div>
          <Text size="sm" mb={4}>
            {secondFactorTexts.enterKey}
          </Text>
          <CopyValue value={secret} what={secondFactorTexts.keyName} />
        </div>
        <TextInput
          label={secondFactorTexts.code}
          description={secondFactorTexts.codeNote}
          inputMode="numeric"
          autoComplete="one-time-code"
          {...form.getInputProps('code')}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={confirm.isPending}>
            {secondFactorTexts.turnOn}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
