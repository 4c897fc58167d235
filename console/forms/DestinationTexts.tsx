import { Textarea, TextInput } from '@mantine/core'
import { commonTexts } from '../messages/common.ts'
import { destinationFormTexts } from '../messages/destinations.tsx'
import type { FieldProblems } from './problems.ts'

/** The service enforces the same limits. */
const NAME_CHARS_MAX = 100
const DESCRIPTION_CHARS_MAX = 500

type Texts = { readonly name: string; readonly description: string }

/** The name and the description of a destination, both optional. */
export function DestinationTexts({
  texts,
  onChange,
  problems,
  hasExamples = true,
}: {
  readonly texts: Texts
  readonly onChange: (texts: Texts) => void
  readonly problems: FieldProblems<'name' | 'description'>
  /** Of empty fields. Where nobody fills them, an example looks like a value. */
  readonly hasExamples?: boolean
}) {
  return (
    <>
      <TextInput
        label={commonTexts.name}
        placeholder={hasExamples ? destinationFormTexts.namePlaceholder : undefined}
        maxLength={NAME_CHARS_MAX}
        value={texts.name}
        onChange={(event) => {
          problems.edited('name')
          onChange({ ...texts, name: event.currentTarget.value })
        }}
        error={problems.at('name')}
        maw={420}
      />
      <Textarea
        label={destinationFormTexts.description}
        placeholder={hasExamples ? destinationFormTexts.descriptionPlaceholder : undefined}
        autosize
        maxRows={5}
        maxLength={DESCRIPTION_CHARS_MAX}
        value={texts.description}
        onChange={(event) => {
          problems.edited('description')
          onChange({ ...texts, description: event.currentTarget.value })
        }}
        error={problems.at('description')}
      />
    </>
  )
}
