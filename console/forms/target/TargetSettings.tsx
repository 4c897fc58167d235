import { Button, Checkbox, Group, List, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { TargetType } from '../../../src/model/target.ts'
import { type FieldTexts, targetFieldTexts, targetTexts, targetTypeTexts } from '../../messages/target.ts'
import { PasswordField } from '../../ui/PasswordField.tsx'
import type { FieldProblems } from '../problems.ts'
import { fieldsOf, PRESETS, type SettingProblem, type TargetField, type TargetValues } from './settings.ts'

type Props = {
  readonly type: TargetType
  readonly values: TargetValues
  readonly onChange: (values: TargetValues) => void
  readonly problems: FieldProblems<SettingProblem>
  /** Required fields to mark as empty. */
  readonly missing: readonly string[]
  /** The destination has its secrets, which stay as they are when their fields are empty. */
  readonly keepsSecrets?: boolean
  /** Examples in empty fields, and values to begin with; not where nobody fills them. */
  readonly hasExamples?: boolean
}

/** What to copy from where, and the fields for it. */
export function TargetSettings({ type, values, onChange, problems, missing, ...props }: Props) {
  const { keepsSecrets = false, hasExamples = true } = props
  const { steps } = targetTypeTexts[type]
  const texts: Readonly<Record<string, FieldTexts | undefined>> = targetFieldTexts[type]
  const set = (name: string, value: string | boolean) => {
    problems.edited(`target_settings.${name}`)
    onChange({ ...values, [name]: value })
  }
  const setAll = (preset: TargetValues) => {
    problems.edited(...Object.keys(preset).map((name) => `target_settings.${name}` as const))
    onChange({ ...values, ...preset })
  }
  return (
    <Stack>
      {!keepsSecrets && steps.length > 0 && (
        <List type="ordered" size="sm" spacing={4}>
          {steps.map((step) => (
            <List.Item key={step} style={{ overflowWrap: 'anywhere' }}>
              {step}
            </List.Item>
          ))}
        </List>
      )}
      {type === 'http' && hasExamples && (
        <Group gap="xs">
          <Text size="sm">{targetTexts.presets}</Text>
          {PRESETS.map((preset) => (
            <Button key={preset.name} size="xs" variant="default" onClick={() => setAll(preset.values)}>
              {preset.name}
            </Button>
          ))}
        </Group>
      )}
      {fieldsOf(type).map((field) => {
        const { label = field.name, ...notes } = texts[field.name] ?? {}
        return (
          <Field
            key={field.name}
            field={field}
            texts={{ label, ...notes }}
            hasExample={hasExamples}
            value={values[field.name]}
            onChange={(value) => set(field.name, value)}
            error={
              problems.at(`target_settings.${field.name}`) ??
              (missing.includes(field.name) ? targetTexts.enterField(inSentence(label)) : null)
            }
            kept={keepsSecrets && field.isSecret ? keptNote(type, field.name) : null}
          />
        )
      })}
    </Stack>
  )
}

/** What an empty field means. A new URL does not get the stored secrets of the old one. */
function keptNote(type: TargetType, name: string): string {
  return type === 'http' && name === 'url' ? targetTexts.keptUrl : targetTexts.kept
}

/** "Bot token" as "bot token"; abbreviations stay. */
function inSentence(label: string): string {
  return /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)
}

function Field(props: {
  readonly field: TargetField
  readonly texts: FieldTexts
  readonly hasExample: boolean
  readonly value: string | boolean | undefined
  readonly onChange: (value: string | boolean) => void
  readonly error: string | null
  /** An empty field keeps its stored value, with this note. */
  readonly kept: string | null
}) {
  const { field, texts, hasExample, value, onChange, error, kept } = props
  const { label } = texts
  if (field.kind === 'flag') {
    const check = (checked: boolean) => onChange(checked)
    return (
      <Checkbox
        label={label}
        checked={value === true}
        onChange={(event) => check(event.currentTarget.checked)}
        error={error}
      />
    )
  }
  const text = typeof value === 'string' ? value : ''
  const common = {
    label,
    description: kept ?? texts.description,
    placeholder: kept === null && hasExample ? texts.placeholder : undefined,
    withAsterisk: field.isRequired && kept === null,
    error,
    value: text,
  }
  const onText = (event: { readonly currentTarget: { readonly value: string } }) =>
    onChange(event.currentTarget.value)
  switch (field.kind) {
    case 'choice':
      return (
        <Select
          label={label}
          data={field.choices}
          value={text || field.choices[0]}
          onChange={(choice) => onChange(choice ?? field.choices[0])}
          allowDeselect={false}
          error={error}
          maw={160}
        />
      )
    case 'lines':
    case 'headers':
    case 'code':
      return (
        <Textarea
          {...common}
          onChange={onText}
          autosize
          minRows={field.kind === 'code' ? 4 : 2}
          maxRows={16}
          styles={
            field.kind === 'lines'
              ? undefined
              : { input: { fontFamily: 'var(--mantine-font-family-monospace)' } }
          }
        />
      )
    case 'secret':
      return <PasswordField {...common} onChange={onText} autoComplete="off" />
    default:
      return <TextInput {...common} onChange={onText} autoComplete="off" />
  }
}
