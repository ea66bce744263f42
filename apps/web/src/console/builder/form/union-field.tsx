import { NativeSelect, Stack } from '@mantine/core'
import { texts } from '../../../text/console.ts'
import { ProblemLines } from '../problems/problem-marks.tsx'
import { type FieldProps, useFormTools, useInputProps } from './form-tools.tsx'
import { blankOf, kindOf, memberOf, nameOfMember, type Schema } from './schema.ts'

/** A value that can be written in several forms: which one, and its fields. */
export function UnionField(props: FieldProps & { members: readonly Schema[] }) {
  const { at, name, value, isRequired, members } = props
  const { Field, set } = useFormTools()
  const { withAsterisk, onBlur, error: _, ...shared } = useInputProps(props)
  const chosen = value === undefined ? undefined : memberOf(members, value)
  const member = chosen === undefined ? undefined : members[chosen]
  const choose = (index: string) => {
    set(at, index === '' ? undefined : begun(members[Number(index)] ?? {}, value))
    onBlur()
  }
  return (
    <div data-at={at}>
      <NativeSelect
        {...shared}
        withAsterisk={withAsterisk}
        maw={420}
        value={chosen === undefined ? '' : String(chosen)}
        onChange={(event) => choose(event.currentTarget.value)}
        data={[
          ...(isRequired && chosen !== undefined ? [] : [{ value: '', label: texts().builder.form.notSet }]),
          ...members.map((each, index) => ({ value: String(index), label: memberLabel(each) })),
        ]}
      />
      {member && kindOf(member).kind !== 'choice' ? (
        <div className="builder-inset">
          <Field schema={member} at={at} name={name} value={value} isRequired label={memberLabel(member)} />
        </div>
      ) : (
        <Stack gap={0}>
          <ProblemLines at={at} />
        </Stack>
      )}
    </div>
  )
}

const memberLabel = (member: Schema): string => {
  const text = texts().builder.form
  const name = nameOfMember(member)
  if (name !== undefined) return text.option(name)
  const { title, description } = member
  return title ?? description ?? text.kinds[kindOf(member).kind]
}

/** What both forms have in common is kept: a deadline stays when a state ends in another way. */
function begun(member: Schema, former: unknown): unknown {
  const blank = blankOf(member)
  if (typeof blank !== 'object' || blank === null || typeof former !== 'object' || former === null)
    return blank
  const known = Object.entries(former).filter(
    ([name]) => member.properties?.[name] !== undefined && member.properties[name]?.const === undefined,
  )
  return { ...blank, ...Object.fromEntries(known) }
}
