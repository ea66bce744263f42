export { fileMemory } from './file-memory.ts'
export { uploadFile } from './upload-file.ts'
