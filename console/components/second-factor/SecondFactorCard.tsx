import { Badge, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SecondFactorView } from '../../../src/contract/console/people.ts'
import { secondFactor, secondFactorQuery } from '../../data/second-factor.ts'
import { commonTexts } from '../../messages/common.ts'
import { secondFactorTexts } from '../../messages/second-factor.tsx'
import { notifyDone, notifyFailed } from '../../ui/confirm.tsx'
import { Section } from '../../ui/Section.tsx'
import { Failed, LoadingLines } from '../../ui/States.tsx'
import { BackupCodes } from './BackupCodes.tsx'
import { PasswordStep } from './PasswordStep.tsx'
import { TurnOn } from './TurnOn.tsx'

/** With fewer codes left, the page suggests new ones. */
const FEW_BACKUP_CODES = 3

const TITLES = {
  on: secondFactorTexts.turnOnTitle,
  off: secondFactorTexts.turnOffTitle,
  codes: secondFactorTexts.newCodes,
} as const
type Task = keyof typeof TITLES

/** The second factor of the signed-in user. */
export function SecondFactorCard() {
  const state = useQuery(secondFactorQuery)
  const queryClient = useQueryClient()
  const [task, setTask] = useState<Task | null>(null)
  const refresh = () =>
    Promise.all(
      ['second-factor', 'members', 'sessions'].map((key) =>
        queryClient.invalidateQueries({ queryKey: [key] }),
      ),
    )
  const close = () => {
    setTask(null)
    void refresh()
  }
  // Without a password there is nothing to add a factor to: the identity provider asks for one.
  if (state.data?.hasPassword === false) return null
  return (
    <Section title={secondFactorTexts.title} about={secondFactorTexts.about}>
      {state.isPending && <LoadingLines lines={2} />}
      {state.isError && <Failed error={state.error} onRetry={() => state.refetch()} />}
      {state.data?.isOn === false && (
        <Button onClick={() => setTask('on')} style={{ alignSelf: 'start' }}>
          {secondFactorTexts.turnOn}
        </Button>
      )}
      {state.data?.isOn === true && <WhenOn state={state.data} onTask={setTask} onChanged={refresh} />}
      {task !== null && (
        <Modal opened onClose={close} title={TITLES[task]} closeOnClickOutside={false}>
          {task === 'on' && <TurnOn onDone={close} />}
          {task === 'off' && <TurnOff isRequired={state.data?.isRequired === true} onDone={close} />}
          {task === 'codes' && <NewBackupCodes onDone={close} />}
        </Modal>
      )}
    </Section>
  )
}

function WhenOn(props: {
  readonly state: SecondFactorView
  readonly onTask: (task: Task) => void
  readonly onChanged: () => Promise<unknown>
}) {
  const { backupCodesLeft, trustedBrowsers, isRequired } = props.state
  const forget = useMutation({
    mutationFn: secondFactor.forgetTrustedBrowsers,
    onSuccess: () => notifyDone(secondFactorTexts.browsersForgotten),
    onError: notifyFailed,
    onSettled: props.onChanged,
  })
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <Badge color="teal" variant="light">
          {commonTexts.on}
        </Badge>
        {isRequired && <Text size="sm">{secondFactorTexts.required}</Text>}
      </Group>
      <Text size="sm" {...(backupCodesLeft < FEW_BACKUP_CODES && { c: 'red', fw: 600 })}>
        {secondFactorTexts.codesLeft(backupCodesLeft)}
      </Text>
      {trustedBrowsers > 0 && (
        <Group gap="xs">
          <Text size="sm">{secondFactorTexts.trustedBrowsers(trustedBrowsers)}</Text>
          <Button
            size="compact-sm"
            variant="default"
            loading={forget.isPending}
            onClick={() => forget.mutate()}
          >
            {secondFactorTexts.forgetBrowsers}
          </Button>
        </Group>
      )}
      <Group>
        <Button variant="default" onClick={() => props.onTask('codes')}>
          {secondFactorTexts.newCodes}
        </Button>
        <Button variant="light" color="red" onClick={() => props.onTask('off')}>
          {secondFactorTexts.turnOff}
        </Button>
      </Group>
    </Stack>
  )
}

function TurnOff({ isRequired, onDone }: { readonly isRequired: boolean; readonly onDone: () => void }) {
  const turnOff = useMutation({
    mutationFn: secondFactor.turnOff,
    onSuccess: () => {
      notifyDone(secondFactorTexts.isOff)
      onDone()
    },
  })
  return (
    <PasswordStep
      about={isRequired ? secondFactorTexts.turnOffRequired : secondFactorTexts.turnOffNote}
      verb={secondFactorTexts.turnOff}
      destructive
      send={turnOff}
    />
  )
}

function NewBackupCodes({ onDone }: { readonly onDone: () => void }) {
  const create = useMutation({ mutationFn: secondFactor.newBackupCodes })
  if (create.data !== undefined) return <BackupCodes codes={create.data.backupCodes} onDone={onDone} />
  return (
    <PasswordStep about={secondFactorTexts.newCodesNote} verb={secondFactorTexts.createCodes} send={create} />
  )
}
