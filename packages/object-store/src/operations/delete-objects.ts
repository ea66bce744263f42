import { childrenOf, readXml, textOf } from '../http/read-xml.ts'
import { S3Error } from '../http/s3-error.ts'
import { checkKey } from '../http/s3-request.ts'
import { type XmlElement, xmlDocument } from '../http/xml-text.ts'
import { type Operation, xmlReply } from './store.ts'

/** Of S3. */
const maxKeys = 1_000

/** DeleteObjects: each key on its own. One that fails does not keep the others. */
export const deleteObjects: Operation = async (store, upload) => {
  const root = await readXml(upload, 'Delete', ['Object'])
  const isQuiet = textOf(root, 'Quiet') === 'true'
  const keys = childrenOf(root, 'Object').map((node) => {
    const key = textOf(node, 'Key')
    if (key === undefined || key === '') throw new S3Error('MalformedXML')
    return key
  })
  if (keys.length === 0 || keys.length > maxKeys) throw new S3Error('MalformedXML')
  const results: XmlElement[] = []
  for (const key of keys) {
    try {
      await store.objects.remove(checkKey(key))
      if (!isQuiet) results.push(['Deleted', [['Key', key]]])
    } catch (error) {
      const { code, message } = error instanceof S3Error ? error : new S3Error('InternalError')
      results.push([
        'Error',
        [
          ['Key', key],
          ['Code', code],
          ['Message', message],
        ],
      ])
    }
  }
  return xmlReply(xmlDocument('DeleteResult', results))
}
