/** What comes before each file of a `multipart/form-data` body, in the field `file`. */
export function formPartHead(boundary: string, name: string, type: string): string {
  // As browsers do it: quotes and line breaks would end the name.
  const quoted = name.replace(/[\r\n"]/g, (character) => encodeURIComponent(character))
  return `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoted}"\r\nContent-Type: ${type}\r\n\r\n`
}
