import { Button, type ButtonProps, FileButton } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import { acceptedFiles } from './chosen-files.ts'

interface FilePickerProps extends ButtonProps {
  isMultiple: boolean
  onFiles: (files: File[]) => void
  children: ReactNode
}

/** A button that opens the file dialog. */
export function FilePicker({ isMultiple, onFiles, children, ...button }: FilePickerProps) {
  const reset = useRef<() => void>(null)
  const choose = (chosen: File[] | File | null) => {
    onFiles([chosen ?? []].flat())
    // Without it, choosing the same file again would not be a change.
    reset.current?.()
  }
  return (
    <FileButton multiple={isMultiple} accept={acceptedFiles} resetRef={reset} onChange={choose}>
      {({ onClick }) => (
        <Button {...button} onClick={onClick}>
          {children}
        </Button>
      )}
    </FileButton>
  )
}
