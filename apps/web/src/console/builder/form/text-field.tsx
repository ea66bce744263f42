import { Autocomplete, Button, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { texts } from '../../../text/console.ts'
import { namedAt } from '../names.ts'
import { type FieldProps, useFormTools, useInputProps } from './form-tools.tsx'
import { isExpression, isTextByLanguage, type Schema } from './schema.ts'

interface TextFieldProps extends FieldProps {
  isLong: boolean
  byLanguage: boolean
}

/** A text: for everybody or for each language, a name with suggestions, or an expression. */
export function TextField(props: TextFieldProps) {
  const { at, value, byLanguage } = props
  const { languages, set, isReadOnly } = useFormTools()
  if (isTextByLanguage(value)) return <TextsByLanguage {...props} value={value} />
  const text = typeof value === 'string' ? value : ''
  const split = () => set(at, Object.fromEntries(languages.map((language) => [language, text])))
  return (
    <div data-at={at}>
      <OneText {...props} text={text} />
      {byLanguage && languages.length > 1 && !isReadOnly && (
        <Button size="compact-xs" variant="subtle" mt={2} onClick={split}>
          {texts().builder.form.perLanguage}
        </Button>
      )}
    </div>
  )
}

function OneText(props: TextFieldProps & { text: string }) {
  const { schema, at, name, text, isRequired, isLong } = props
  const { set, suggestionsFor } = useFormTools()
  const shared = useInputProps(props)
  const change = (next: string) => set(at, next === '' && !isRequired ? undefined : next)
  const names = suggestionsFor(
    isExpression(schema) ? namesFor(schema, at) : namedAt(name, at.split('/').slice(1)),
  )
  if (names && names.length > 0)
    return (
      <Autocomplete
        {...shared}
        value={text}
        onChange={change}
        data={isExpression(schema) ? completed(text, names) : names.filter((name) => name !== text)}
        {...(isExpression(schema) && { filter: ({ options }) => options, className: 'builder-code-input' })}
        comboboxProps={{ withinPortal: true }}
        spellCheck={false}
      />
    )
  if (isLong)
    return (
      <Textarea
        {...shared}
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
        autosize
        minRows={1}
        maxRows={14}
      />
    )
  return <TextInput {...shared} value={text} onChange={(event) => change(event.currentTarget.value)} />
}

/** Conditions of what is shown also read what is entered on the same page. */
const namesFor = ({ description = '' }: Schema, at: string): string => {
  if (isWhenOfStage.test(at)) return 'ownVariables'
  return description.includes('`answers.x`') ? 'shownWhen' : 'variables'
}

/** Whether somebody plays a stage follows from what they bring along. */
const isWhenOfStage = /^\/stages\/\d+\/when$/

/** The expression, with its last word completed in each way that is possible. */
function completed(text: string, names: readonly string[]): string[] {
  // After a value or inside a text, a name would make no sense.
  if (/(['"\d)\]]|[\w'"]\s+)$/.test(text) || text.split(/['"]/).length % 2 === 0) return []
  const word = /[A-Za-z_][\w.]*$/.exec(text)?.[0] ?? ''
  const before = text.slice(0, text.length - word.length)
  return names.filter((name) => name.startsWith(word) && name !== word).map((name) => before + name)
}

function TextsByLanguage(props: TextFieldProps & { value: Record<string, string> }) {
  const { at, value, isLong } = props
  const { languages, set, isReadOnly, settle } = useFormTools()
  const { label, description, error } = useInputProps(props)
  const shown = [...new Set([...languages, ...Object.keys(value)])]
  const Input = isLong ? Textarea : TextInput
  return (
    <fieldset className="builder-fieldset" data-at={at}>
      <legend>
        <Text size="sm" fw={500}>
          {label}
        </Text>
      </legend>
      <Text size="xs" c="dimmed">
        {description}
      </Text>
      <Stack gap={4} mt={4}>
        {shown.map((language) => (
          <Input
            key={language}
            label={language}
            value={value[language] ?? ''}
            disabled={isReadOnly}
            onBlur={settle}
            onChange={(event) => set(at, { ...value, [language]: event.currentTarget.value })}
          />
        ))}
      </Stack>
      {error !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)">
          {error}
        </Text>
      )}
      {!isReadOnly && (
        <Button
          size="compact-xs"
          variant="subtle"
          mt={2}
          onClick={() => set(at, value[shown[0] ?? ''] ?? Object.values(value)[0] ?? '')}
        >
          {texts().builder.form.oneForAll}
        </Button>
      )}
    </fieldset>
  )
}
