import { Alert, Button, Card, Group, Stack, Tabs, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { CopyValue } from '../ui/CopyValue.tsx'
import { paths } from '../util/paths.ts'
import { VERIFY_SNIPPETS } from './verify-snippets.ts'

/** A signing secret, shown this once, and how a receiver uses it. */
export function SecretOnce({
  secret,
  destinationId,
}: {
  readonly secret: string
  readonly destinationId: string
}) {
  return (
    <Stack maw={760}>
      <Alert color="yellow" icon={<IconKey aria-hidden />} title="Copy the signing secret now">
        <Stack gap="xs">
          <Text size="sm">It is shown this once and kept encrypted. If it is lost, rotate it.</Text>
          <CopyValue value={secret} what="signing secret" />
        </Stack>
      </Alert>
      <VerifyCard />
      <Group>
        <Button component={Link} to={paths.destination(destinationId)}>
          Go to the destination and send a test
        </Button>
      </Group>
    </Stack>
  )
}

/** How to check a signature, in three languages. */
export function VerifyCard() {
  return (
    <Card withBorder>
      <Text fw={600} mb="xs">
        Verify the signature over the raw body, before parsing
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
            <CopyValue value={code} what={`${language} code`} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Card>
  )
}
