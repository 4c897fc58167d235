import { Button, Checkbox, Group, SimpleGrid, Stack } from '@mantine/core'
import { storefrontName } from '../../src/contract/console/market-names.ts'
import { STOREFRONTS, type Storefront } from '../../src/model/vocabulary.ts'
import { storefrontTexts } from '../messages/apps.tsx'

/** The storefronts to track. */
export function StorefrontPicker(props: {
  readonly value: readonly Storefront[]
  readonly onChange: (value: Storefront[]) => void
  readonly error?: string | null
}) {
  return (
    <Stack gap="xs">
      <Checkbox.Group
        label={storefrontTexts.label}
        description={storefrontTexts.note}
        error={props.error}
        value={[...props.value]}
        onChange={(value) => props.onChange(STOREFRONTS.filter((code) => value.includes(code)))}
      >
        <SimpleGrid cols={{ base: 2, xs: 3, md: 4 }} spacing="xs" mt="xs">
          {STOREFRONTS.map((code) => (
            <Checkbox key={code} value={code} label={storefrontName(code)} />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
      <Group gap="xs">
        <Button size="compact-xs" variant="subtle" onClick={() => props.onChange([...STOREFRONTS])}>
          {storefrontTexts.selectAll}
        </Button>
        <Button size="compact-xs" variant="subtle" onClick={() => props.onChange([])}>
          {storefrontTexts.clear}
        </Button>
      </Group>
    </Stack>
  )
}
