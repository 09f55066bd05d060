-- A claim asks for its import by the private copy's path each time it is taken up.
create index imports_by_file on imports (account, file_path);
