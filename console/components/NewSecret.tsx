import { Alert, Card, Group, Stack, Tabs, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { commonTexts } from '../messages/common.ts'
import { secretTexts } from '../messages/destinations.tsx'
import { CopyValue } from '../ui/CopyValue.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { VERIFY_SNIPPETS } from './verify-snippets.ts'

/** A new signing secret, shown once, with code that verifies signatures. */
export function NewSecret({
  secret,
  destinationId,
}: {
  readonly secret: string
  readonly destinationId: string
}) {
  return (
    <Stack maw={760}>
      <Alert color="yellow" icon={<IconKey aria-hidden />} title={commonTexts.copySecret}>
        <Stack gap="xs">
          <Text size="sm">{secretTexts.copyNote}</Text>
          <CopyValue value={secret} what={commonTexts.signingSecret} />
        </Stack>
      </Alert>
      <VerifyCard />
      <Group>
        <ButtonLink to="/destinations/$id" params={{ id: destinationId }}>
          {secretTexts.sendTest}
        </ButtonLink>
      </Group>
    </Stack>
  )
}

/** Code that verifies a signature, in three languages. */
export function VerifyCard() {
  return (
    <Card withBorder>
      <Text fw={600} mb="xs">
        {secretTexts.verify}
      </Text>
      <Tabs defaultValue={VERIFY_SNIPPETS[0].language}>
        <Tabs.List>
          {VERIFY_SNIPPETS.map(({ language }) => (
            <Tabs.Tab key={language} value={language}>
              {language}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {VERIFY_SNIPPETS.map(({ language, code }) => (
          <Tabs.Panel key={language} value={language} pt="sm">
            <CopyValue value={code} what={secretTexts.codeOf(language)} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Card>
  )
}
