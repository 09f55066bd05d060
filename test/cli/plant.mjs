// Loaded into a command by NODE_OPTIONS: throws where nothing catches it when the process is told to.
process.on('SIGUSR2', () => {
  const error = new Error('a planted defect');
  if (process.env.PLANT === 'rejection') void Promise.reject(error);
  else throw error;
});
