import { defineConfig } from 'vitest/config';
import { common, proofFolders } from './vitest.config.ts';

export default defineConfig({ test: { ...common, include: proofFolders } });
