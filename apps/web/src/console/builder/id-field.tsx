import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useFormTools } from './form/form-tools.tsx'

interface IdFieldProps {
  /** Of the state or stage. */
  at: string
  value: string
  label: string
  description: string
}

/** Applied when the field is left, with everything that refers to it. */
export function IdField({ at, value, label, description }: IdFieldProps) {
  const { findingsAt, setId, isReadOnly } = useFormTools()
  const [typed, setTyped] = useState<string>()
  const keep = () => {
    if (typed !== undefined && typed !== '' && typed !== value) setId(at, typed)
    setTyped(undefined)
  }
  const error = findingsAt(`${at}/id`)[0]?.message
  return (
    <TextInput
      data-at={`${at}/id`}
      label={label}
      description={description}
      value={typed ?? value}
      disabled={isReadOnly}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={keep}
      onKeyDown={(event) => event.key === 'Enter' && keep()}
      {...(error !== undefined && { error })}
      maw={280}
    />
  )
}
