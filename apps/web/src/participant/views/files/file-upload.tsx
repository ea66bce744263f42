import { isAcceptedType } from '@atrium/contract/components'
import type { ChangeEvent } from 'react'
import { texts } from '../../../text/participant.ts'
import { answerOf, asOneLine, isFixed, recordIn } from '../questions/answer.ts'
import { Problem } from '../questions/problem.tsx'
import { Question } from '../questions/question.tsx'
import type { SettledProps } from '../settings/with-settings.tsx'
import { useUpload } from './use-upload.ts'
import './files.css'

type Props = SettledProps<'file_upload'>

/** The browser's own field, which every keyboard and screen reader knows. The file is uploaded as soon as it is chosen. */
export function FileUpload(props: Props) {
  const { settings, scene } = props
  const { label, help, accept, maxBytes } = settings
  const words = texts().tasks.files
  const { upload, fail, isUploading, failure } = useUpload(props)
  const { name, size } = recordIn(answerOf(props))

  function choose({ target }: ChangeEvent<HTMLInputElement>): void {
    const file = target.files?.[0]
    if (!file) return
    if (file.size === 0) fail(words.empty)
    else if (file.size > maxBytes) fail(words.tooLarge(maxBytes))
    else if (accept && !isAcceptedType(accept, file.type)) fail(words.wrongType)
    else void upload(file, asOneLine(file.name).slice(0, 255))
  }

  return (
    <Question props={props} label={label} help={help} hint={words.hint(maxBytes)} isGroup={false}>
      {(ids) => (
        <>
          <input
            id={`${ids.label}-control`}
            className="file-field"
            type="file"
            accept={accept?.join(',')}
            disabled={isFixed(props) || isUploading || scene.isStill}
            aria-describedby={ids.describedBy}
            aria-invalid={props.problem !== undefined || failure !== undefined}
            onChange={choose}
          />
          <p className="file-status" role="status">
            {isUploading && words.uploading}
            {typeof name === 'string' && typeof size === 'number' && words.stored(name, size)}
          </p>
          {failure !== undefined && <Problem>{failure}</Problem>}
        </>
      )}
    </Question>
  )
}
