import { type MediaKind, type MediaRecord, mediaNameIn, mediaNamePrefix } from '@atrium/contract'
import { Button, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { texts } from '../../../text/console.ts'
import { useMediaFiles } from '../../media/files/file-queries.ts'
import { PosterPicture } from '../../media/poster.tsx'
import { SoundIcon } from '../../shell/icons.tsx'
import { type FieldProps, useFormTools } from './form-tools.tsx'
import { type Choice, MediaPicker, ProbedMedia } from './media-picker.tsx'
import { PickedField } from './picked-field.tsx'

const textsFor = (kind: MediaKind) => ({ ...texts().builder.files[kind], href: '/media/files' })

/** An uploaded picture or sound, by its id. */
export function FileField({ kind, ...field }: FieldProps & { kind: MediaKind }) {
  const { data: files } = useMediaFiles()
  const choices = files && choicesOf(files.filter((file) => file.kind === kind))
  // An address or a video would be shown instead, and the length is that of another file.
  return (
    <PickedField
      field={field}
      choices={choices}
      text={textsFor(kind)}
      rivals={['src', 'videoId', 'durationMs']}
    />
  )
}

interface FileAddressProps {
  kind: MediaKind
  field: FieldProps
  /** The text with the address. */
  children: ReactNode
}

/** The address of a picture or a sound, which may also be the name of an uploaded one. */
export function FileAddress({ kind, field, children }: FileAddressProps) {
  const { at, name, value } = field
  const { set, remove, isReadOnly, settle } = useFormTools()
  const [isPicking, setPicking] = useState(false)
  const called = mediaNameIn(value)
  const { data: files = [] } = useMediaFiles({ isEnabled: isPicking || called !== undefined })
  const text = textsFor(kind)
  // Only one’s own are found by name.
  const own = files.filter((file) => file.kind === kind && file.isOwn)
  const chosen = own.find((file) => file.name === called)
  const choose = (choice: Choice) => {
    set(at, mediaNamePrefix + choice.name)
    settle()
    if (name === 'src')
      for (const rival of ['mediaId', 'durationMs']) remove(at.slice(0, at.length - name.length) + rival)
    setPicking(false)
  }
  return (
    <Stack gap={6} align="flex-start">
      <div style={{ alignSelf: 'stretch' }}>{children}</div>
      {chosen && <ProbedFile file={chosen} />}
      {!isReadOnly && (
        <Button size="compact-sm" variant="light" onClick={() => setPicking(true)}>
          {called === undefined ? text.choose : text.chooseOther}
        </Button>
      )}
      <MediaPicker
        isOpen={isPicking}
        choices={choicesOf(own)}
        text={text}
        onClose={() => setPicking(false)}
        onPick={choose}
      />
    </Stack>
  )
}

const choicesOf = (files: readonly MediaRecord[]): Choice[] =>
  files.map((file) => ({ id: file.mediaId, name: file.name, shown: <ProbedFile file={file} /> }))

function ProbedFile({ file }: { file: MediaRecord }) {
  const { format, media } = texts()
  const { name, kind, bytes, url, isOwn } = file
  const picture = kind === 'picture' ? <PosterPicture address={url} /> : <SoundIcon />
  return (
    <ProbedMedia
      picture={picture}
      name={name}
      facts={[format.bytes(bytes), ...(isOwn ? [] : [media.someoneElses])]}
    />
  )
}
