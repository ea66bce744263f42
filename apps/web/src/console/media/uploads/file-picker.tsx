import { Button, type ButtonProps, FileButton } from '@mantine/core'
import { type ReactNode, useRef } from 'react'

interface FilePickerProps extends ButtonProps {
  isMultiple: boolean
  /** As the attribute of an input. */
  accept: string
  onFiles: (files: File[]) => void
  children: ReactNode
}

/** A button that opens the file dialog. */
export function FilePicker({ isMultiple, accept, onFiles, children, ...button }: FilePickerProps) {
  const reset = useRef<() => void>(null)
  const choose = (chosen: File[] | File | null) => {
    onFiles([chosen ?? []].flat())
    // Without it, choosing the same file again would not be a change.
    reset.current?.()
  }
  return (
    <FileButton multiple={isMultiple} accept={accept} resetRef={reset} onChange={choose}>
      {({ onClick }) => (
        <Button {...button} onClick={onClick}>
          {children}
        </Button>
      )}
    </FileButton>
  )
}
