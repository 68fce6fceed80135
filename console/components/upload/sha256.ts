// On its own, so that of all the algorithms there only this one is loaded, and only once something is uploaded.
export { createSHA256 } from 'hash-wasm';
