module gwconform/tools/facts

go 1.24
