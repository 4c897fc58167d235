import { Table, Text } from '@mantine/core'
import type { SystemView } from '../../../src/contract/console/system.ts'
import { systemTexts } from '../../messages/system.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'

/** The settings in effect; secrets are masked. */
export function Settings({ settings }: { readonly settings: SystemView['settings'] }) {
  return (
    <ScrollRegion label={systemTexts.settings}>
      <Table fz="sm" miw={560}>
        <Table.Tbody>
          {settings.map((setting) => (
            <Table.Tr key={setting.name}>
              <Table.Td>
                <code>{setting.name}</code>
                <Text size="xs" c="dimmed">
                  <WithCode text={setting.about} />
                </Text>
              </Table.Td>
              <Table.Td className="untrusted-code">
                <WithCode text={setting.value} />
                {setting.fromDefault && (
                  <Text span size="xs" c="dimmed">
                    {' '}
                    {systemTexts.isDefault}
                  </Text>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollRegion>
  )
}

/** Shows text in backquotes as code. */
function WithCode({ text }: { readonly text: string }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their position
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>))
}
